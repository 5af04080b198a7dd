export { ipAddress } from './ip-address';
export { type Certificate, type CertificateRequest, issueCertificate } from './issue';
