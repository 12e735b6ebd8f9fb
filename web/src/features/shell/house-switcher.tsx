import { ChevronsUpDown } from 'lucide-react';
import { useBoot } from '../../api/boot.ts';
import { enterHouse, useHouses } from '../../live/houses.ts';
import { problemText } from '../../live/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuRadioGroup } from '../../ui/menu.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import styles from './house-switcher.module.css';

/** The house that the person works in, and a menu to switch to another one. Shown to people with several houses. */
export function HouseSwitcher() {
  const words = useWords();
  const { say, dir } = words;
  const { user } = useBoot();
  const house = user?.house;
  const { data = [] } = useHouses();

  async function enter(id: string) {
    try {
      await enterHouse(id);
    } catch (problem) {
      notify({
        kind: 'error',
        id: 'house',
        text: `${say('shell.houseNotOpened')} ${problemText(problem, words)}`,
      });
    }
  }

  if (!house || data.length < 2) return null;
  return (
    <Menu
      dir={dir}
      trigger={
        <Button size="s" className={styles.button} aria-label={say('shell.switchHouse', { house: house.name })}>
          <span className={styles.name}>{house.name}</span>
          <Icon of={ChevronsUpDown} size={16} />
        </Button>
      }
    >
      <MenuRadioGroup
        label={say('shell.houses')}
        value={house.id}
        options={data.map(({ id, name }) => ({ value: id, text: name }))}
        onChoose={(id) => id !== house.id && void enter(id)}
      />
    </Menu>
  );
}
