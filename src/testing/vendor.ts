/** Returns the name of a vendor's header, such as `X-Service-OTP` for `service` and `OTP`. */
export function vendorHeader(vendor: string, name: string): string {
  const word =
    vendor === 'github' ? 'GitHub' : `${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}`;
  return `X-${word}-${name}`;
}
