import type { HistoryKind, WireEntry } from '@perfume/contract/history';
import {
  ArchiveRestore,
  Layers,
  type LucideIcon,
  PackageMinus,
  PackagePlus,
  PencilLine,
  Plus,
  Scale,
  SlidersHorizontal,
  Trash2,
  Undo2,
} from 'lucide-react';
import { Icon } from '../../ui/icon.tsx';
import styles from './history-kind-icon.module.css';

const icons: Record<HistoryKind, LucideIcon> = {
  opening: Plus,
  deliver: PackageMinus,
  restock: PackagePlus,
  correction: Scale,
  undo: Undo2,
  edited: PencilLine,
  deleted: Trash2,
  restored: ArchiveRestore,
  settings: SlidersHorizontal,
};

/** The icon for an entry's kind. It needs no label, because the word is next to it. */
export function HistoryKindIcon({ kind, many = false }: { kind: WireEntry['kind']; many?: boolean }) {
  return (
    <span className={styles.mark} data-kind={kind}>
      <Icon of={many ? Layers : icons[kind]} size={15} flips={kind === 'undo' && !many} />
    </span>
  );
}
