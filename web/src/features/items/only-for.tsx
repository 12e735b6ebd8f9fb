import type { HouseAction } from '@perfume/domain/houses';
import type { ReactNode } from 'react';
import { useMay } from '../../live/may.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useWords } from '../../words/words.tsx';

/** A page that only some roles may use. Links to it are hidden from the others, but an address can be typed. */
export function OnlyFor({ action, children }: { action: HouseAction; children: ReactNode }) {
  const { say } = useWords();
  const may = useMay();
  if (may(action)) return children;
  return (
    <EmptyState text={say('problem.notAllowed')} alert>
      <LinkButton to={paths.manageInventory}>{say('nav.manageInventory')}</LinkButton>
    </EmptyState>
  );
}
