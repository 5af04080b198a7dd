/**
 * The runtime in executables, by the platform's name in Terraform. It is pinned by version and by
 * the hash of its package.
 */
export const RUNTIME = { name: 'Bun', version: '1.4.5', licence: 'MIT' };

/** The C library of executables for Linux, and the version of Debian's packages. */
export const GLIBC = {
  name: 'glibc',
  version: '2.36',
  package: '2.36-8cross1',
  licence: 'LGPL-2.1-or-later',
};

export const PLATFORMS = {
  linux_amd64: {
    runtime: '@oven/bun-linux-x64',
    target: 'bun-linux-x64',
    integrity:
      'sha512-IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
    glibc: {
      package: 'libc6-amd64-cross',
      libraries: 'usr/x86_64-linux-gnu/lib',
      loader: '/lib64/ld-linux-x86-64.so.2',
      integrity:
        'sha512-/5C82RIOMR63mea7CdrdAG54c495evknvuwBBsdS6powysICXNwzFpKr6SOtTxDjuKa2+vvSozGtk4DeotBUhA==',
    },
  },
  linux_arm64: {
    runtime: '@oven/bun-linux-aarch64',
    target: 'bun-linux-arm64',
    integrity:
      'sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
    glibc: {
      package: 'libc6-arm64-cross',
      libraries: 'usr/aarch64-linux-gnu/lib',
      loader: '/lib/ld-linux-aarch64.so.1',
      integrity:
        'sha512-/d6b9CDpJMnqAgAxq1v9B7Eoiv5MpySpE8I58QoLHR0Js0IAORi0Q1l9gGC9T3J+5rTvp4GLk+9VcbsZIFS37g==',
    },
  },
  darwin_amd64: {
    runtime: '@oven/bun-darwin-x64',
    target: 'bun-darwin-x64',
    usesLocalesOfSystem: true,
    integrity:
      'sha512-qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==',
    // The compiler keeps the signature of the runtime, which is not valid for the executable.
    isSignedHere: true,
  },
  darwin_arm64: {
    runtime: '@oven/bun-darwin-aarch64',
    target: 'bun-darwin-arm64',
    usesLocalesOfSystem: true,
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
