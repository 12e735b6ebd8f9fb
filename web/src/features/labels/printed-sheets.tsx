import type { Size } from '@perfume/domain/labels';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import styles from './printed-sheets.module.css';

/**
 * What the browser prints instead of the screen: pages of this size. They are drawn only when it does, because there may
 * be hundreds.
 */
export function PrintedSheets({ page: { width, height }, draw: drawPages }: { page: Size; draw: () => ReactNode }) {
  const [drawn, setDrawn] = useState<ReactNode>(null);
  useEffect(() => {
    const draw = () => flushSync(() => setDrawn(drawPages()));
    addEventListener('beforeprint', draw);
    return () => {
      removeEventListener('beforeprint', draw);
      setDrawn(null);
    };
  }, [drawPages]);
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@page { size: ${width}mm ${height}mm; margin: 0 }`);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [width, height]);
  // They stay until they change: Safari reports the end of printing while it still draws them.
  return drawn && createPortal(<div className={styles.pages}>{drawn}</div>, document.body);
}
