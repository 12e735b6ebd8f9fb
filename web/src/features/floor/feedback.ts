import { readPreference, savePreference } from '../../ui/preference.ts';
import { createStore } from '../../ui/store.ts';

/** What a tone and a vibration can tell a person who is not looking at the screen. */
export type Outcome = 'done' | 'refused';

export type FeedbackKind = 'sound' | 'vibration';
const preferenceOf = (kind: FeedbackKind) => `floor-${kind}`;

const changes = createStore(0);

/** Whether a kind of feedback is on, and a function to change that. The device remembers it. */
export function useFeedback(kind: FeedbackKind): [boolean, (on: boolean) => void] {
  changes.use();
  return [isOn(kind), (on) => setOn(kind, on)];
}

function isOn(kind: FeedbackKind): boolean {
  return readPreference(preferenceOf(kind)) !== 'off';
}

function setOn(kind: FeedbackKind, on: boolean): void {
  savePreference(preferenceOf(kind), on ? 'on' : 'off');
  changes.set(changes.get() + 1);
  if (!on) return;
  if (kind === 'sound') playTone('done');
  else vibrate('done');
}

export const canVibrate = () => 'vibrate' in navigator;

export function giveFeedback(outcome: Outcome): void {
  if (isOn('sound')) playTone(outcome);
  if (isOn('vibration')) vibrate(outcome);
}

function vibrate(outcome: Outcome): void {
  if (canVibrate()) navigator.vibrate(outcome === 'done' ? 60 : [120, 80, 120]);
}

/** A short high note for what was booked, two long low ones for what was refused. */
const notes: Record<Outcome, { hertz: number; at: number; seconds: number }[]> = {
  done: [{ hertz: 1_320, at: 0, seconds: 0.09 }],
  refused: [
    { hertz: 220, at: 0, seconds: 0.18 },
    { hertz: 165, at: 0.22, seconds: 0.28 },
  ],
};
const VOLUME = 0.25;
const FADE_S = 0.02;
let context: AudioContext | null = null;

function playTone(outcome: Outcome): void {
  try {
    context ??= new AudioContext();
    // Browsers start it suspended until the person has touched the page or pressed a key.
    void context.resume().catch(() => {});
    for (const { hertz, at, seconds } of notes[outcome]) playNote(context, hertz, context.currentTime + at, seconds);
  } catch (problem) {
    // A device without sound still shows the result.
    console.warn(problem);
  }
}

function playNote(audio: AudioContext, hertz: number, start: number, seconds: number): void {
  const volume = audio.createGain();
  // Fading in and out avoids a click.
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(VOLUME, start + FADE_S);
  volume.gain.setValueAtTime(VOLUME, start + seconds - FADE_S);
  volume.gain.linearRampToValueAtTime(0, start + seconds);
  volume.connect(audio.destination);
  const note = audio.createOscillator();
  note.frequency.value = hertz;
  note.connect(volume);
  note.start(start);
  note.stop(start + seconds);
}
