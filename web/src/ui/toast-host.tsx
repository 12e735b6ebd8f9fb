import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { ToastContainer, type ToastOptions, type ToastTransitionProps, toast } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import styles from './toast.module.css';
import type { Notice, Offer } from './toast.ts';

const LIFE = 5_000;
let hosted = false;

export function showToast({ kind, text, id, action }: Notice): void {
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

const alwaysOpen: Offer = { watch: () => () => {}, isOpen: () => true };

function Action({ text, run, offer = alwaysOpen }: NonNullable<Notice['action']>) {
  const isOpen = useSyncExternalStore(offer.watch, offer.isOpen);
  const hadFocus = useRef(false);
  // 'Undo' goes as soon as it is done, and 'Redo' comes with the message about it: who works with keys finds it there.
  const keepFocus = (button: HTMLButtonElement) => {
    if (hadFocus.current && document.activeElement === document.body) button.focus();
    return () => {
      hadFocus.current = document.activeElement === button;
    };
  };
  if (!isOpen) return null;
  return (
    <button type="button" ref={keepFocus} className={styles.action} onClick={run}>
      {text}
    </button>
  );
}

const LEAVING = 150;

/** Fades out. The library's own transitions cannot be turned back, so a toast that was closing could not be updated. */
function Fade({ children, nodeRef, isIn, playToast, done }: ToastTransitionProps) {
  const start = useEffectEvent(playToast);
  const remove = useEffectEvent(done);
  useEffect(() => start(), []);
  useEffect(() => {
    if (isIn) return;
    const fading = nodeRef.current?.animate({ opacity: [1, 0] }, { duration: LEAVING, fill: 'forwards' });
    fading?.finished.then(
      () => remove(),
      () => {},
    );
    return () => fading?.cancel();
  }, [isIn, nodeRef]);
  return <>{children}</>;
}

// A root of its own: a toast outlives the page that asked for it, and no page pays for it before the first.
function host(): void {
  if (hosted) return;
  hosted = true;
  const place = document.createElement('div');
  document.body.append(place);
  // At once: a second notice under the same name may follow in the next instant, and must find the first.
  const root = createRoot(place);
  flushSync(() =>
    root.render(
      <ToastContainer
        className={styles.place ?? ''}
        position="top-right"
        transition={Fade}
        autoClose={LIFE}
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
