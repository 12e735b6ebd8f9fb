/** What an address of the dashboard needs first. Its list of files is here, because visitors of public pages need none. */
export { dashboardPages } from './dashboard-pages.ts';

export async function loadDashboardLayout() {
  return (await import('./dashboard-layout.tsx')).DashboardLayout;
}
