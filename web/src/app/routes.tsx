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
const Dashboard = page({
  source: 'src/app/dashboard-layout.tsx',
  load: async () => (await import('./dashboard-layout.tsx')).DashboardLayout,
  words: 'dashboard',
});
const AdminHome = page({
  source: 'src/features/dashboard/admin-home-page.tsx',
  load: async () => (await import('../features/dashboard/admin-home-page.tsx')).AdminHomePage,
  title: 'title.adminHome',
});
const AddItem = page({
  source: 'src/features/items/add-item-page.tsx',
  load: async () => (await import('../features/items/add-item-page.tsx')).AddItemPage,
  words: 'items',
  title: 'title.addItem',
});
const ManageInventory = page({
  source: 'src/features/stock/manage-page.tsx',
  load: async () => (await import('../features/stock/manage-page.tsx')).ManagePage,
  words: 'inventory',
  title: 'title.manageInventory',
});
const MyItems = page({
  source: 'src/features/stock/my-items-page.tsx',
  load: async () => (await import('../features/stock/my-items-page.tsx')).MyItemsPage,
  words: 'inventory',
  title: 'title.myItems',
});
const Item = page({
  source: 'src/features/stock/item-page.tsx',
  load: async () => (await import('../features/stock/item-page.tsx')).ItemPage,
  words: 'stock',
  title: 'title.item',
});
const Analysetic = page({
  source: 'src/features/insights/analysetic-page.tsx',
  load: async () => (await import('../features/insights/analysetic-page.tsx')).AnalyseticPage,
  words: 'insights',
  title: 'title.analysetic',
});
const EditItem = page({
  source: 'src/features/stock/edit-item-page.tsx',
  load: async () => (await import('../features/stock/edit-item-page.tsx')).EditItemPage,
  words: ['items', 'stock', 'history'],
  title: 'title.editItem',
});
const History = page({
  source: 'src/features/stock/history-page.tsx',
  load: async () => (await import('../features/stock/history-page.tsx')).HistoryPage,
  words: 'history',
  title: 'title.history',
});
const Settings = page({
  source: 'src/features/alerts/settings-page.tsx',
  load: async () => (await import('../features/alerts/settings-page.tsx')).SettingsPage,
  words: 'alerts',
  title: 'title.settings',
});
const Styleguide = import.meta.env.DEV
  ? page({
      source: 'src/features/site/styleguide-page.tsx',
      load: async () => (await import('../features/site/styleguide-page.tsx')).StyleguidePage,
      words: 'styleguide',
      title: 'title.styleguide',
    })
  : null;

/** The spec's route table. What the sidebar names and nobody has built yet falls to not found. */
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
        <Route path={paths.dashboard} element={<Dashboard />}>
          <Route index element={<Navigate to={paths.adminHome} replace />} />
          <Route path={paths.adminHome} element={<AdminHome />} />
          <Route path={paths.addItem} element={<AddItem />} />
          <Route path={paths.analysetic} element={<Analysetic />} />
          <Route path={paths.manageInventory} element={<ManageInventory />} />
          <Route path={paths.myItems} element={<MyItems />} />
          <Route path={paths.itemPattern} element={<Item />} />
          <Route path={paths.editItemPattern} element={<EditItem />} />
          <Route path={paths.history} element={<History />} />
          <Route path={paths.settings} element={<Settings />} />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Route>
      {Styleguide && <Route path={styleguidePath} element={<Styleguide />} />}
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

const direct: [path: string, ...pages: Page[]][] = [
  [paths.home, Home],
  [paths.about, About],
  [paths.blogs, Blogs],
  [paths.login, Login],
  [paths.register, Register],
  [paths.resetPassword, ResetPassword],
  [paths.adminHome, Dashboard, AdminHome],
  [paths.addItem, Dashboard, AddItem],
  [paths.analysetic, Dashboard, Analysetic],
  [paths.manageInventory, Dashboard, ManageInventory],
  [paths.myItems, Dashboard, MyItems],
  [paths.itemPattern, Dashboard, Item],
  [paths.editItemPattern, Dashboard, EditItem],
  [paths.history, Dashboard, History],
  [paths.settings, Dashboard, Settings],
];

/** What an address shows first, frame before page, to be prepared before anything is painted. */
export function firstPages(pathname: string): Page[] {
  const [, ...pages] = direct.find(([path]) => matchPath(path, pathname)) ?? [];
  return pages.length > 0 ? pages : [NotFound];
}

/** Pages that search engines may list: those that describe themselves. */
export function listedPaths(): string[] {
  return direct.filter(([, ...pages]) => pages.some(({ description }) => description)).map(([path]) => path);
}
