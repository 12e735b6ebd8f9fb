import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, type LucideIcon, X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useWords } from '../../words/words.tsx';
import { addDays, formatInstant, type Span, spanFrom } from './instant.ts';
import { instantText, shortInstantText, zoneText } from './instant-text.ts';
import { TimeField } from './time-field.tsx';
import { TimeFigures } from './time-figures.tsx';
import styles from './time-machine.module.css';
import { spanQuery } from './time-machine-query.ts';
import { TimeSlider } from './time-slider.tsx';
import { type SetInstant, useTimeTravel } from './use-time-travel.ts';

type MachineProps = {
  id: string;
  at: string | undefined;
  narrow: boolean;
  /** How many items the list has at that instant; null while loading. */
  count: number | null;
  /** The list is searched or sorted by today's names or prices, which may have been different then. */
  byToday: boolean;
  /** Whether the slider gets the focus: the time machine was opened with its button, not through a link. */
  focus: boolean;
  setInstant: SetInstant;
  onClose: () => void;
};

/** The time machine: controls above the list that show it as it was at any instant. */
export function TimeMachine(props: MachineProps) {
  const { say } = useWords();
  const { data, isError, refetch } = useQuery(spanQuery);
  const now = useClock();
  const first = data?.first ?? null;
  const ahead = data?.ahead ?? 0;
  const span = useMemo(() => (first === null ? null : spanFrom(first, now + ahead)), [first, now, ahead]);
  useEscape(props.onClose);
  if (span) return <Machine {...props} span={span} />;
  return (
    <Band id={props.id} then={props.at !== undefined}>
      <div className={styles.message}>
        {data ? (
          <p>{say('timeMachine.noHistory')}</p>
        ) : isError ? (
          <>
            <p role="alert">{say('timeMachine.failed')}</p>
            <Button size="s" onClick={() => void refetch()}>
              {say('retry')}
            </Button>
          </>
        ) : (
          <Spinner label={say('Loading...')} />
        )}
      </div>
      <Close onClose={props.onClose} />
    </Band>
  );
}

function Machine(props: MachineProps & { span: Span }) {
  const { id, span, at, narrow, count, byToday, focus, setInstant, onClose } = props;
  const { say, locale } = useWords();
  const { shown, moveTo, grab, release, goTo } = useTimeTravel(at, setInstant);
  const slider = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus) slider.current?.focus({ preventScroll: true });
  }, [focus]);
  useClampedStart(span, at, setInstant);

  const step = (days: number) => moveTo(addDays(span, shown, days));
  const back = { disabled: shown === span.first, onStep: step };
  const on = { disabled: shown === null, onStep: step };
  const weekBack = <Step icon={ChevronsLeft} label={say('timeMachine.weekBack')} days={-7} {...back} />;
  const weekOn = <Step icon={ChevronsRight} label={say('timeMachine.weekOn')} days={7} {...on} />;
  const zoneId = useId();
  const field = <TimeField span={span} shown={shown} zoneId={zoneId} onType={goTo} />;
  const zone = (
    <p id={zoneId} className={styles.zone}>
      {say('timeMachine.zone', { zone: zoneText(shown ?? span.now, locale) })}
    </p>
  );
  const toToday = shown !== null && (
    <Button size="s" look={narrow ? 'plain' : 'quiet'} className={styles.toToday} onClick={() => goTo(null)}>
      {say('timeMachine.toToday')}
    </Button>
  );
  const write = narrow ? shortInstantText : instantText;
  return (
    <>
      <Band id={id} then={shown !== null}>
        <div className={styles.title}>
          <p className={styles.eyebrow}>{shown === null ? say('timeMachine.current') : say('timeMachine.past')}</p>
          <p className={styles.instant}>{shown === null ? say('timeMachine.now') : write(shown, locale)}</p>
          {!narrow && zone}
        </div>
        {!narrow && field}
        {!narrow && toToday}
        <Close onClose={onClose} />
        <div className={styles.travel}>
          {!narrow && weekBack}
          <Step icon={ChevronLeft} label={say('timeMachine.dayBack')} days={-1} {...back} />
          <TimeSlider
            ref={slider}
            span={span}
            shown={shown}
            narrow={narrow}
            onMove={moveTo}
            onGrab={grab}
            onRelease={release}
          />
          <Step icon={ChevronRight} label={say('timeMachine.dayOn')} days={1} {...on} />
          {!narrow && weekOn}
        </div>
        <p role="status" className="visually-hidden">
          {at !== undefined &&
            count !== null &&
            say('timeMachine.arrived', { count, date: instantText(Date.parse(at), locale) })}
        </p>
      </Band>
      {narrow && (
        <div className={styles.below}>
          {weekBack}
          {field}
          {weekOn}
          <div className={styles.last}>
            {zone}
            {toToday}
          </div>
        </div>
      )}
      <TimeFigures at={at} narrow={narrow} />
      {at !== undefined && (
        <p className={styles.note}>
          {say('timeMachine.readOnly')} {byToday && say('timeMachine.byToday')}
        </p>
      )}
    </>
  );
}

type BandProps = { id: string; then: boolean; children: ReactNode };

/** The sticky band above the list. `--machine` tells the list how much of the window the band covers. */
function Band({ id, then, children }: BandProps) {
  const { say } = useWords();
  const band = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = band.current;
    const list = element?.parentElement;
    if (!element || !list) return;
    const measure = () => {
      const stays = getComputedStyle(element).position === 'sticky';
      list.style.setProperty('--machine', `${stays ? element.offsetHeight : 0}px`);
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    measure();
    return () => {
      watcher.disconnect();
      list.style.removeProperty('--machine');
    };
  }, []);
  return (
    <section
      ref={band}
      id={id}
      className={styles.band}
      data-then={then || undefined}
      aria-label={say('timeMachine.name')}
    >
      {children}
    </section>
  );
}

function Close({ onClose }: { onClose: () => void }) {
  const { say } = useWords();
  return (
    <IconButton label={say('timeMachine.close')} className={styles.close} onClick={onClose}>
      <Icon of={X} />
    </IconButton>
  );
}

type StepProps = {
  icon: LucideIcon;
  label: string;
  days: number;
  disabled: boolean;
  onStep: (days: number) => void;
};

/** A button that moves the slider by some days. At an end of the span it does nothing, but stays focusable. */
function Step({ icon, label, days, disabled, onStep }: StepProps) {
  return (
    <Tooltip text={label}>
      <IconButton
        label={label}
        className={styles.step}
        aria-disabled={disabled || undefined}
        onClick={() => !disabled && onStep(days)}
      >
        <Icon of={icon} flips />
      </IconButton>
    </Tooltip>
  );
}

/** Redirects a link to a time before the first movement to the first movement. */
function useClampedStart(span: Span, at: string | undefined, setInstant: SetInstant): void {
  const begin = useEffectEvent(() => setInstant(span.first < span.now ? formatInstant(span.first) : null, true));
  const before = at !== undefined && Date.parse(at) < span.first;
  useEffect(() => {
    if (before) begin();
  }, [before]);
}

/** Closes the time machine on Escape, unless a dialog, a menu or a filled search field uses the key. */
function useEscape(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector('[data-holds-page], [role="menu"]')) return;
      const { target } = event;
      if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return;
      close();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}

const TICK_MS = 20_000;

function useClock(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
