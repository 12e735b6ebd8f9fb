import { matchPath, Navigate, Route, Routes } from 'react-router';
import { paths, styleguidePath } from '../paths.ts';
import { type Page, page } from './page.tsx';
import { RequireUser } from './require-user.tsx';

const Home = page({
  source: 'src/features/site/home-page.tsx',
  load: async () => (await import('../features/site/home-page.tsx')).HomePage,
  title: 'title.home',
  description: 'home.description',
});
const About = page({
  source: 'src/features/site/about-page.tsx',
  load: async () => (await import('../features/site/about-page.tsx')).AboutPage,
  words: 'about',
  title: 'title.about',
  description: 'about.description',
});
const Blogs = page({
  source: 'src/features/site/blogs-page.tsx',
  load: async () => (await import('../features/site/blogs-page.tsx')).BlogsPage,
  words: 'blogs',
  title: 'title.blogs',
  description: 'blogs.description',
});
const Login = page({
  source: 'src/features/identity/login-page.tsx',
  load: async () => (await import('../features/identity/login-page.tsx')).LoginPage,
  words: 'identity',
  title: 'title.login',
  description: 'login.description',
});
const Register = page({
  source: 'src/features/identity/register-page.tsx',
  load: async () => (await import('../features/identity/register-page.tsx')).RegisterPage,
  words: 'identity',
  title: 'title.register',
  description: 'register.description',
});
const ResetPassword = page({
  source: 'src/features/identity/reset-password-page.tsx',
  load: async () => (await import('../features/identity/reset-password-page.tsx')).ResetPasswordPage,
  words: 'identity',
  title: 'title.resetPassword',
});
const NotFound = page({
  source: 'src/features/site/not-found-page.tsx',
  load: async () => (await import('../features/site/not-found-page.tsx')).NotFoundPage,
  title: 'title.notFound',
});
const Styleguide = import.meta.env.DEV
  ? page({
      source: 'src/features/site/styleguide-page.tsx',
      load: async () => (await import('../features/site/styleguide-page.tsx')).StyleguidePage,
      words: 'styleguide',
      title: 'title.styleguide',
    })
  : null;

/** The spec's route table. Pages that are not built yet fall to not found. */
export function AppRoutes() {
  return (
    <Routes>
      <Route path={paths.home} element={<Home />} />
      <Route path={paths.about} element={<About />} />
      <Route path={paths.blogs} element={<Blogs />} />
      <Route path={paths.login} element={<Login />} />
      <Route path={paths.register} element={<Register />} />
      <Route path={paths.resetPassword} element={<ResetPassword />} />
      <Route element={<RequireUser />}>
        <Route path={paths.dashboard} element={<Navigate to={paths.adminHome} replace />} />
        <Route path={`${paths.dashboard}/*`} element={<NotFound />} />
      </Route>
      {Styleguide && <Route path={styleguidePath} element={<Styleguide />} />}
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

const direct: [path: string, page: Page][] = [
  [paths.home, Home],
  [paths.about, About],
  [paths.blogs, Blogs],
  [paths.login, Login],
  [paths.register, Register],
  [paths.resetPassword, ResetPassword],
];

/** The page an address shows first, to be prepared before anything is painted. */
export function firstPage(pathname: string): Page {
  return direct.find(([path]) => matchPath(path, pathname))?.[1] ?? NotFound;
}

/** Pages that search engines may list: those that describe themselves. */
export function listedPaths(): string[] {
  return direct.filter(([, { description }]) => description).map(([path]) => path);
}
