import { Plus, Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Combobox } from '../../ui/form/combobox.tsx';
import { TextArea, TextField } from '../../ui/form/field.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Menu, MenuAction, MenuLine } from '../../ui/menu.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { FigureCell, FigureHead, Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notify } from '../../ui/toast.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useWords } from '../../words/words.tsx';
import section from './section.module.css';
import styles from './styleguide-page.module.css';

const colours = 'paper card sunk ink muted line line-strong plum plum-wash amber amber-wash gold green red'.split(' ');
const sizes = ['text-xs', 'text-s', 'text-m', 'text-l', 'text-xl', 'text-2xl', 'text-3xl'];
const suppliers = ['Atelier Solène', 'Jardin Clos', 'Maison Verrière', 'Port & Fils'];

/** A page with every component in every state. It exists under `npm run dev` only. */
export function StyleguidePage() {
  const { say } = useWords();
  return (
    <div className={`${section.page} ${styles.page}`}>
      <header>
        <h1>{say('styleguide.heading')}</h1>
        <p className={section.lead}>{say('styleguide.lead')}</p>
      </header>
      <Colours />
      <Type />
      <Buttons />
      <Badges />
      <Fields />
      <Overlays />
      <Waiting />
      <Ledger />
    </div>
  );
}

function Part({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2>{heading}</h2>
      <div className={styles.row}>{children}</div>
    </section>
  );
}

function Colours() {
  const { say } = useWords();
  return (
    <Part heading={say('styleguide.colours')}>
      {colours.map((colour) => (
        <figure key={colour} className={styles.swatch}>
          <span style={{ background: `var(--${colour})` }} />
          <figcaption>{colour}</figcaption>
        </figure>
      ))}
    </Part>
  );
}

function Type() {
  const { say } = useWords();
  return (
    <Part heading={say('styleguide.type')}>
      <div>
        {sizes.map((size) => (
          <p key={size} className={styles.serif} style={{ fontSize: `var(--${size})` }}>
            {say('styleguide.text')}
          </p>
        ))}
      </div>
    </Part>
  );
}

function Buttons() {
  const { say } = useWords();
  return (
    <Part heading={say('styleguide.buttons')}>
      <Button look="primary">{say('styleguide.primary')}</Button>
      <Button>{say('styleguide.quiet')}</Button>
      <Button look="plain">{say('styleguide.plain')}</Button>
      <Button look="danger">{say('styleguide.danger')}</Button>
      <Button look="primary" disabled>
        {say('styleguide.disabled')}
      </Button>
      <Button look="primary" busy>
        {say('styleguide.busy')}
      </Button>
      <Button size="s">{say('styleguide.small')}</Button>
      <Tooltip text={say('styleguide.tooltip')}>
        <IconButton label={say('styleguide.tooltip')}>
          <Icon of={Sparkles} />
        </IconButton>
      </Tooltip>
    </Part>
  );
}

function Badges() {
  const { say } = useWords();
  return (
    <Part heading={say('styleguide.badges')}>
      <Badge tone="good">{say('In Stock')}</Badge>
      <Badge tone="warn">{say('styleguide.low')}</Badge>
      <Badge tone="bad">{say('Stock Out')}</Badge>
      <Badge tone="plain">{say('styleguide.neutral')}</Badge>
      <Avatar image={null} />
      <Picture src="" alt={say('styleguide.name')} width={80} height={100} />
    </Part>
  );
}

function Fields() {
  const { say } = useWords();
  const [supplier, setSupplier] = useState('');
  const [choice, setChoice] = useState<'first' | 'second'>('first');
  return (
    <Part heading={say('styleguide.fields')}>
      <div className={styles.fields}>
        <TextField label={say('styleguide.name')} hint={say('styleguide.nameHint')} name="name" />
        <TextField label={say('styleguide.name')} error={say('styleguide.error')} name="wrong" />
        <TextField label={say('styleguide.disabled')} name="disabled" disabled />
        <Combobox
          label={say('styleguide.supplier')}
          openLabel={say('styleguide.open')}
          emptyLabel={say('styleguide.nothing')}
          options={suppliers}
          value={supplier}
          onChange={setSupplier}
        />
        <TextArea label={say('styleguide.description')} name="description" />
        <div>
          <SearchField label={say('search.label')} placeholder={say('search.placeholder')} />
          <Checkbox label={say('styleguide.select')} />
          <Checkbox label={say('styleguide.some')} mixed />
          <Checkbox label={say('styleguide.disabled')} disabled />
          <RadioGroup
            label={say('styleguide.tabs')}
            value={choice}
            onChoose={setChoice}
            options={[
              { value: 'first', text: say('styleguide.first') },
              { value: 'second', text: say('styleguide.second') },
            ]}
          />
        </div>
      </div>
    </Part>
  );
}

function Overlays() {
  const { say, dir } = useWords();
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null);
  const close = () => setOpen(null);
  return (
    <Part heading={say('styleguide.overlays')}>
      <Button onClick={() => setOpen('dialog')}>{say('styleguide.dialog')}</Button>
      <Button look="danger" onClick={() => setOpen('confirm')}>
        {say('styleguide.confirm')}
      </Button>
      <Menu dir={dir} trigger={<Button>{say('styleguide.menu')}</Button>}>
        <MenuAction onSelect={close}>{say('styleguide.action')}</MenuAction>
        <MenuLine />
        <MenuAction onSelect={close}>{say('styleguide.second')}</MenuAction>
      </Menu>
      <Button
        onClick={() =>
          notify({
            kind: 'success',
            text: say('styleguide.toastGood'),
            action: { text: say('styleguide.undo'), run: close },
          })
        }
      >
        {say('styleguide.toastGood')}
      </Button>
      <Button onClick={() => notify({ kind: 'error', id: 'bad', text: say('styleguide.toastBad') })}>
        {say('styleguide.toastBad')}
      </Button>
      <Tabs
        label={say('styleguide.tabs')}
        dir={dir}
        tabs={[
          { id: 'first', title: say('styleguide.first'), content: say('styleguide.text') },
          { id: 'second', title: say('styleguide.second'), content: say('pitch.lead') },
        ]}
      />
      {open === 'dialog' && (
        <Dialog title={say('styleguide.dialog')} closeLabel={say('dialog.close')} onClose={close}>
          <p>{say('styleguide.text')}</p>
        </Dialog>
      )}
      {open === 'confirm' && (
        <Confirm
          title={say('styleguide.sure')}
          text={say('styleguide.text')}
          confirmLabel={say('styleguide.yes')}
          cancelLabel={say('styleguide.no')}
          onConfirm={close}
          onCancel={close}
        />
      )}
    </Part>
  );
}

function Waiting() {
  const { say } = useWords();
  return (
    <Part heading={say('styleguide.waiting')}>
      <Spinner large label={say('Loading...')} />
      <div className={styles.wide}>
        <Skeleton height="2rem" />
        <Progress label={say('styleguide.progress')} value={0.6} />
        <Progress label={say('styleguide.progress')} />
      </div>
      <EmptyState text={say('grid.empty')}>
        <Button>{say('grid.addFirst')}</Button>
      </EmptyState>
      <EmptyState text={say('grid.failed')}>
        <Button>{say('retry')}</Button>
      </EmptyState>
    </Part>
  );
}

function Ledger() {
  const { say, money, number } = useWords();
  const [count, setCount] = useState(42);
  return (
    <Part heading={say('styleguide.ledger')}>
      <Table>
        <thead>
          <tr>
            <th scope="col">{say('card.supplier')}</th>
            <FigureHead>{say('card.price')}</FigureHead>
            <FigureHead>{say('card.quantity')}</FigureHead>
          </tr>
        </thead>
        <tbody>
          {suppliers.map((supplier, i) => (
            <tr key={supplier}>
              <td>{supplier}</td>
              <FigureCell>{money(9650 + i * 1200)}</FigureCell>
              <FigureCell>
                <LiveNumber value={count + i} format={number} />
              </FigureCell>
            </tr>
          ))}
        </tbody>
      </Table>
      <Button onClick={() => setCount((last) => last + 24)}>
        <Icon of={Plus} />
        {say('styleguide.count')}
      </Button>
    </Part>
  );
}
