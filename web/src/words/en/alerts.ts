import type { Catalogue } from '../message.ts';

// Low-stock alerts: the bell and its list.
export const words = {
  'alerts.bell': { one: 'Alerts: {count} new', other: 'Alerts: {count} new' },
  'alerts.bell.quiet': 'Alerts: nothing new',
  'alerts.title': 'Low stock',
  'alerts.list': 'Alerts, newest first',
  'alerts.low': 'Low stock',
  'alerts.out': 'Out of stock',
  'alerts.recovered': 'Back in stock',
  'alerts.left': { one: '{count} left', other: '{count} left' },
  'alerts.onHand': { one: '{count} on hand', other: '{count} on hand' },
  'alerts.new': 'New',
  'alerts.empty': 'No alerts.',
  'alerts.failed': 'Could not load the alerts.',
  'alerts.seeAll': 'Mark all as seen',
  'alerts.allSeen': 'All alerts are marked as seen.',
  'alerts.earlier': 'Show earlier alerts',
  'alerts.viewLow': 'View low stock',
  'alerts.settings': 'Alert settings',
  'alerts.toast.low': { one: '{name} is low on stock: {count} left', other: '{name} is low on stock: {count} left' },
  'alerts.toast.out': '{name} is out of stock',
  'alerts.toast.many': {
    one: '{count} more item is low or out of stock',
    other: '{count} more items are low or out of stock',
  },
  'alerts.view': 'View',
} as const satisfies Catalogue;
