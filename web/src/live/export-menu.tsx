import { type ExportFormat, exportFormats } from '@perfume/domain/exports';
import { Download } from 'lucide-react';
import { Button, type ButtonProps, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuAction } from '../ui/menu.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { useWords } from '../words/words.tsx';
import styles from './export-menu.module.css';
import { useExport } from './use-export.ts';

type ExportMenuProps = Pick<ButtonProps, 'look' | 'size'> & {
  /** Shows only the icon, where there is little room. */
  iconOnly?: boolean;
  /** What is exported, for people who do not see where the button is. */
  name: string;
  path: `/exports/${string}`;
  query: Record<string, string>;
};

/** The button that exports what a page shows, in the format that is chosen. */
export function ExportMenu({ name, path, query, look, size, iconOnly = false }: ExportMenuProps) {
  const { say, dir } = useWords();
  const { bytes, start, cancel } = useExport();
  const urlOf = (format: ExportFormat) => `${path}?${new URLSearchParams({ ...query, format })}`;
  if (bytes !== null) return <RunningExport bytes={bytes} onCancel={cancel} />;
  const label = say('export.of', { name });
  const button = iconOnly ? (
    <IconButton label={label} title={say('export')}>
      <Icon of={Download} />
    </IconButton>
  ) : (
    <Button {...(look && { look })} {...(size && { size })} aria-label={label}>
      <Icon of={Download} size={18} />
      {say('export')}
    </Button>
  );
  return (
    <Menu dir={dir} trigger={button}>
      {exportFormats.map((format) => (
        <MenuAction key={format} onSelect={() => void start(urlOf(format))}>
          {say(`export.${format}`)}
        </MenuAction>
      ))}
    </Menu>
  );
}

/** How much of a file has arrived, and a button that ends it. */
export function RunningExport({ bytes, onCancel }: { bytes: number; onCancel: () => void }) {
  const { say, number } = useWords();
  return (
    <div className={styles.running}>
      <Spinner />
      <span role="status">{say('export.running', { size: number(Math.floor(bytes / 100_000) / 10) })}</span>
      <Button size="s" look="plain" onClick={onCancel}>
        {say('export.cancel')}
      </Button>
    </div>
  );
}
