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
  // The library ignores an update of a toast that is not there, and a second toast under the id of one that is.
  toast.update(id, { ...options, render: content, delay: 0 });
  toast(content, { ...options, toastId: id });
}

const always: Availability = { subscribe: () => () => {}, isAvailable: () => true };

function Action({ text, run, availability = always }: NonNullable<Toast['action']>) {
  const isAvailable = useSyncExternalStore(availability.subscribe, availability.isAvailable);
  const hadFocus = useRef(false);
  // 'Undo' disappears when it is done and 'Redo' appears with the next message: the keyboard focus moves along.
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

/** The library's own transitions cannot be reversed, so a toast that is closing could not be updated. */
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

// A React root of its own: a toast outlives the page that showed it, and pages without toasts do not load it.
function host(): void {
  if (hosted) return;
  hosted = true;
  const place = document.createElement('div');
  document.body.append(place);
  // Synchronously: a second toast with the same id may follow at once and must find the first.
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
