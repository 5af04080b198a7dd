/** The one policy of wrapping tokens. */
export const WRAPPING_POLICY_NAME = 'response-wrapping';

/** What a wrapping token may do. */
export const WRAPPING_POLICY_TEXT = `
path "cubbyhole/response" {
    capabilities = ["create", "read"]
}

path "sys/wrapping/unwrap" {
    capabilities = ["update"]
}
`;
