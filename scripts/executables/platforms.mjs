/**
 * The runtime that executables contain, by platform as Terraform names it. It is pinned by version and by the hash of its package.
 */
export const RUNTIME = { name: 'Bun', version: '1.4.5', licence: 'MIT' };

export const PLATFORMS = {
  linux_amd64: {
    runtime: '@oven/bun-linux-x64',
    target: 'bun-linux-x64',
    integrity:
      'sha512-IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
  },
  linux_arm64: {
    runtime: '@oven/bun-linux-aarch64',
    target: 'bun-linux-arm64',
    integrity:
      'sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
  },
  darwin_amd64: {
    runtime: '@oven/bun-darwin-x64',
    target: 'bun-darwin-x64',
    integrity:
      'sha512-qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==',
    // The compiler leaves the signature of the runtime, which does not fit.
    isSignedHere: true,
  },
  darwin_arm64: {
    runtime: '@oven/bun-darwin-aarch64',
    target: 'bun-darwin-arm64',
    integrity:
      'sha512-4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==',
  },
  windows_amd64: {
    runtime: '@oven/bun-windows-x64',
    target: 'bun-windows-x64',
    integrity:
      'sha512-FNvply651vcE/GHgNWz6mZvhmkwBuu8Hw54oNzA+CQog+HW+542rXQmZqNHRkFxazD9L3xi+iTtvO3engAgJfw==',
  },
};

/** Returns the platform of this machine. */
export function ownPlatform() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `${system}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
}
