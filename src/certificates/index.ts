export { type Certificate, type CertificateRequest, issueCertificate } from './issue';
