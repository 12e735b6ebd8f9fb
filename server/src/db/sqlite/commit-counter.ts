import type { DatabaseSync } from 'node:sqlite';

/** The tables that say who somebody is and what they may do. */
const PEOPLE = ['users', 'sign_ins', 'members', 'houses', 'api_keys'];

/**
 * Counts the commits of the writer, those that changed people apart, and those of other programs, for which it calls
 * `onOthers`.
 */
export function commitCounter(writer: DatabaseSync, onOthers: () => void) {
  let [data, people] = [0, 0];
  let isOfPeople = false;
  writer.function('note_change_of_people', () => {
    isOfPeople = true;
    return null;
  });
  for (const table of PEOPLE) {
    for (const change of ['insert', 'update', 'delete'])
      writer.exec(`create temporary trigger ${table}_${change}_noted after ${change} on main.${table}
        begin select note_change_of_people(); end`);
  }
  // Changes when another connection commits, not when this one does.
  const selectVersion = writer.prepare('pragma data_version');
  const versionOfOthers = () => (selectVersion.get() as { data_version: number }).data_version;
  let lastOfOthers = versionOfOthers();
  let hasLooked = false;

  /** Looks for commits of other programs, once in each turn of the event loop. */
  function look(): void {
    if (hasLooked) return;
    hasLooked = true;
    setImmediate(() => {
      hasLooked = false;
    });
    const version = versionOfOthers();
    if (version === lastOfOthers) return;
    lastOfOthers = version;
    data++;
    people++;
    onOthers();
  }

  return {
    look,
    noteBatch(hasChangedData: boolean): void {
      if (hasChangedData) data++;
      if (isOfPeople) people++;
      isOfPeople = false;
    },
    data(): number {
      look();
      return data;
    },
    people(): number {
      look();
      return people;
    },
  };
}
