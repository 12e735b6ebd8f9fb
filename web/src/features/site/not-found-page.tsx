import type { FormEvent } from 'react';
import { useBoot } from '../../api/boot.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { useNavigate } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './not-found-page.module.css';
import section from './section.module.css';

export function NotFoundPage() {
  const { say } = useWords();
  return (
    <div className={`${section.page} ${styles.page}`}>
      <MissingBottle />
      <h1>{say('notFound.heading')}</h1>
      <p className={section.lead}>{say('notFound.text')}</p>
      <SearchForm />
      <LinkButton to={paths.home} look="primary">
        {say('notFound.home')}
      </LinkButton>
    </div>
  );
}

/** A search for items: it opens Manage Inventory for a signed-in user, and the home page for a visitor. */
function SearchForm() {
  const { say } = useWords();
  const { user } = useBoot();
  const navigate = useNavigate();

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    const query = q === '' ? '' : `?q=${encodeURIComponent(q)}`;
    navigate(user ? `${paths.manageInventory}${query}` : `${paths.home}${query}#items`);
  }

  return (
    <search className={styles.place}>
      <form className={styles.search} onSubmit={search} action={paths.home}>
        <SearchField label={say('search.label')} name="q" placeholder={say('search.placeholder')} />
        <Button type="submit">{say('search.submit')}</Button>
      </form>
    </search>
  );
}

function MissingBottle() {
  return (
    <Drawing
      viewBox="0 0 360 150"
      className={styles.drawing}
      shelf="M4 132h352"
      rule="M40 133v7M90 133v7M140 133v7M190 133v7M240 133v7M290 133v7"
    >
      <path className={styles.glass} d="M56 131V74q0-6 6-6h6V54h16v14h6q6 0 6 6v57zM68 54V34h16v20" />
      <path className={styles.gone} d="M160 131c-10-14-10-42 6-54l8-7V54h18v16l8 7c16 12 16 40 6 54zM174 54V30h18v24" />
      <path
        className={styles.glass}
        d="M282 131c-20-2-26-18-26-32s8-28 24-30V54h16v15c16 2 24 16 24 30s-6 30-26 32zM280 54V38h16v16"
      />
    </Drawing>
  );
}
