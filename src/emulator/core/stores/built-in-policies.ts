/** The one policy of wrapping tokens. */
export const wrappingPolicyName = 'response-wrapping';

/** What a wrapping token may do. */
export const wrappingPolicyText = `
path "cubbyhole/response" {
    capabilities = ["create", "read"]
}

path "sys/wrapping/unwrap" {
    capabilities = ["update"]
}
`;
