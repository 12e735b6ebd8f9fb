import type { Catalogue } from '../message.ts';

// Scanning codes with the camera, on every page that does it.
export const words = {
  'camera.label': 'Camera',
  'camera.start': 'Scan with the camera',
  'camera.stop': 'Stop the camera',
  'camera.starting': 'Starting the camera…',
  'camera.aim': 'Hold one barcode in the frame',
  'camera.light': 'Light',
  'camera.denied':
    'The browser blocks the camera for this site. Allow it in the settings of the browser, then try again.',
  'camera.missing': 'No camera was found on this device. Use a hand scanner or the search.',
  'camera.insecure':
    'The camera works only over https or on localhost. Ask whoever runs this site for an https address, or use a hand scanner or the search.',
  'camera.busy': 'The camera could not be started. Another app may be using it.',
  'camera.noDecoder': 'The barcode reader could not be loaded. Check your connection and try again.',
  'camera.without': 'Continue without the camera',
} as const satisfies Catalogue;
