export const encode = encodeURIComponent;
export const base64 = (text: string) => Buffer.from(text).toString('base64');
export const base64url = (text: string) => Buffer.from(text).toString('base64url');
export const hex = (text: string) => Buffer.from(text).toString('hex');
