import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { ToastContainer, type ToastOptions, type ToastTransitionProps, toast } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import styles from './toast.module.css';
import type { Availability, Toast } from './toast.ts';

const SHOWN_MS = 5_000;
let hosted = false;

export function showToast({ kind, text, id, action }: Toast): void {
  host();
  const content = (
    <div className={styles.notice}>
      <span>{text}</span>
      {action && <Action {...action} />}
    </div>
  );
  const options: ToastOptions = {
    type: kind,
    role: kind === 'error' ? 'alert' : 'status',
    className: [styles.toast, styles[kind]].filter(Boolean).join(' '),
  };
  if (id === undefined) return void toast(content, options);
  // If a toast with this id is on screen, the first call updates it and the library ignores the second. Otherwise the
  // library ignores the first call and the second shows the toast.
  toast.update(id, { ...options, render: content, delay: 0 });
  toast(content, { ...options, toastId: id });
}

const always: Availability = { subscribe: () => () => {}, isAvailable: () => true };

function Action({ text, run, availability = always }: NonNullable<Toast['action']>) {
  const isAvailable = useSyncExternalStore(availability.subscribe, availability.isAvailable);
  const hadFocus = useRef(false);
  // After an undo, the 'Undo' button disappears and 'Redo' appears with the next message. If 'Undo' had the keyboard
  // focus, 'Redo' gets it.
  const keepFocus = (button: HTMLButtonElement) => {
    if (hadFocus.current && document.activeElement === document.body) button.focus();
    return () => {
      hadFocus.current = document.activeElement === button;
    };
  };
  if (!isAvailable) return null;
  return (
    <button type="button" ref={keepFocus} className={styles.action} onClick={run}>
      {text}
    </button>
  );
}

const FADE_MS = 150;

/**
 * Fades a toast out when it closes. Unlike the library's own transitions, this one can be reversed, so a toast that is
 * already closing can still be updated.
 */
function Fade({ children, nodeRef, isIn, playToast, done }: ToastTransitionProps) {
  const start = useEffectEvent(playToast);
  const remove = useEffectEvent(done);
  useEffect(() => start(), []);
  useEffect(() => {
    if (isIn) return;
    const fading = nodeRef.current?.animate({ opacity: [1, 0] }, { duration: FADE_MS, fill: 'forwards' });
    fading?.finished.then(
      () => remove(),
      () => {},
    );
    return () => fading?.cancel();
  }, [isIn, nodeRef]);
  return <>{children}</>;
}

// Toasts have a React root of their own: a toast outlives the page that showed it, and pages without toasts do not load
// the library.
function host(): void {
  if (hosted) return;
  hosted = true;
  const place = document.createElement('div');
  document.body.append(place);
  // Renders synchronously, because a second toast with the same id may follow at once and must find the first.
  const root = createRoot(place);
  flushSync(() =>
    root.render(
      <ToastContainer
        className={styles.place ?? ''}
        position="top-right"
        transition={Fade}
        autoClose={SHOWN_MS}
        rtl={document.documentElement.dir === 'rtl'}
        pauseOnFocusLoss
        pauseOnHover
        hideProgressBar
        icon={false}
        newestOnTop
      />,
    ),
  );
}
