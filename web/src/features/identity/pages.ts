import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.login,
    source: 'src/features/identity/login-page.tsx',
    load: async () => (await import('./login-page.tsx')).LoginPage,
    words: 'identity',
    title: 'title.login',
    description: 'login.description',
  }),
  page({
    path: pathOf.register,
    source: 'src/features/identity/register-page.tsx',
    load: async () => (await import('./register-page.tsx')).RegisterPage,
    words: 'identity',
    title: 'title.register',
    description: 'register.description',
  }),
  page({
    path: pathOf.resetPassword,
    source: 'src/features/identity/reset-password-page.tsx',
    load: async () => (await import('./reset-password-page.tsx')).ResetPasswordPage,
    words: ['identity', 'email-links'],
    title: 'title.resetPassword',
  }),
  page({
    path: pathOf.verifyEmail,
    source: 'src/features/identity/verify-email-page.tsx',
    load: async () => (await import('./verify-email-page.tsx')).VerifyEmailPage,
    words: ['identity', 'email-links'],
    title: 'title.verify',
  }),
];
