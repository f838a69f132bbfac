/** Returns the name of a vendor's header, such as `X-Service-OTP` for `service` and `OTP`. */
export function vendorHeader(vendor: string, name: string): string {
  const word =
    vendor === 'github' ? 'GitHub' : `${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}`;
  return `X-${word}-${name}`;
}

/** Checks that a vendor name can be part of a header name. @throws {RangeError} if it can't. */
export function checkVendor(vendor: string, option = 'vendor'): void {
  if (/^[a-z\d-]+$/i.test(vendor)) return;
  throw new RangeError(
    `${option}: must contain only letters, digits and hyphens, such as 'github' (got '${vendor}')`,
  );
}
