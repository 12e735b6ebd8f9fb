import type { Catalogue } from '../message.ts';

// What links in emails lead to, and the verification gate, as the spec spells them.
export const words = {
  'reset.heading': 'Set a new password',
  'reset.lead': 'The new password replaces your old one, and you are logged out on all devices.',
  'reset.submit': 'Set password',
  'reset.done': 'Your password was changed. Log in with the new one.',
  'reset.choose': 'Choose a password',
  'reset.verified':
    'Your address is verified. The account was opened in another browser, so choose a password here. The one from the sign-up no longer works, in case it was not yours.',
  'reset.chosen': 'Your password is set. Log in with it.',
  'reset.expired.heading': 'This link no longer works',
  'reset.expired.lead':
    'This link has expired or was already used. Request a new email. The link in it works for one hour.',
  'reset.expired.submit': 'Send a new email',
  'reset.pitch.eyebrow': 'A good password',
  'reset.pitch.heading': 'Long beats clever.',
  'reset.pitch.text': 'Four unrelated words are easier to remember and harder to guess.',

  'verify.heading': 'Verify your email address',
  'verify.lead': 'Confirm that you signed up to Perfume Warehouse with this email address.',
  'verify.submit': 'Verify my email address',
  'verify.notYou': 'Did you not sign up? Close this page. The account will be deleted after two days.',
  'verify.done': 'Your email address is verified.',
  'verify.continue': 'Continue',
  'verify.expired.lead': 'This link has expired or was already used. Request a new email. Its link works for one day.',
  'verify.expired.verified': 'Your email address is already verified.',
  'verify.expired.loggedOut':
    'This link has expired or was already used. Log in to continue or to get a new email. If your password does not work, choose “Forgot Password?” there.',
  'verify.pitch.eyebrow': 'Almost there',
  'verify.pitch.heading': 'One click to go.',
  'verify.pitch.text': 'Low-stock alerts and password resets go to this address, so it has to be yours.',

  'gate.heading': 'Your Email is not verified!!',
  'gate.lead': 'Please Verify your email address',
  'gate.text':
    'We sent an email to {email}. Open the link from that email in this browser, and this page will continue by itself.',
  'gate.waiting': 'Waiting for you to open the link',
  'gate.resend': 'Send the email again',
  'gate.sent': 'We Sent a email',
  'gate.failed': 'maybe try many time or Something went wrong',
  'gate.ended':
    'You were logged out. Log in to continue. If you verified your address on another device, use the password that you chose there.',
} as const satisfies Catalogue;
