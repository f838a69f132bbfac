/** The name of a header field of the vendor: `X-Service-OTP` for `service` and `OTP`. */
export function vendorHeader(vendor: string, name: string): string {
  return `X-${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}-${name}`;
}
