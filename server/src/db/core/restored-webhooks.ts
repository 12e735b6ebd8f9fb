/**
 * Switches all webhooks off in a database that was restored: what waits may have arrived after the backup, and a copy on
 * another machine must not send anything. Somebody switches them on again. The dispatcher removes what waits.
 */
export const SWITCH_OFF_WEBHOOKS =
  "update webhooks set state = 'off', off_reason = 'restored', failing_since = null where state = 'on'";
