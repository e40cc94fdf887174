export const ADMIN_TOKEN = 'bench-administrator-token'
export const REGISTRATION_TOKEN = 'bench-registration-token'
