import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { ToastContainer, type ToastOptions, toast } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import styles from './toast.module.css';
import type { Notice } from './toast.ts';

const LIFE = 5_000;
let hosted = false;

export function showNotice({ kind, text, id, action }: Notice): void {
  host();
  const content = (
    <div className={styles.notice}>
      <span>{text}</span>
      {action && (
        <button type="button" className={styles.action} onClick={action.run}>
          {action.text}
        </button>
      )}
    </div>
  );
  const options: ToastOptions = {
    type: kind,
    role: kind === 'error' ? 'alert' : 'status',
    className: [styles.toast, styles[kind]].filter(Boolean).join(' '),
  };
  // What is said under the same name takes the place of what was said before.
  if (id !== undefined && toast.isActive(id)) toast.update(id, { ...options, render: content });
  else toast(content, id === undefined ? options : { ...options, toastId: id });
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
        position="top-right"
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
