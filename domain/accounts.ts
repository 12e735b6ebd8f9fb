export const ACCOUNT_NAME_MAX = 100;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;
