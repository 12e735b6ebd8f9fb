import { CameraOff, Flashlight, ScanBarcode } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { readPreference, savePreference } from '../../ui/preference.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './camera-scanner.module.css';
import { hasLight, isCameraAllowed, switchLight, useCamera } from './camera-stream.ts';
import { useDecoding } from './use-decoding.ts';

/** Remembers on this device whether the camera was last stopped by hand. */
const PREFERENCE = 'camera';

/**
 * Scans barcodes with the camera and calls `onCode` once for each code that comes into view. The first time, the person
 * opens the camera with a button; from then on it opens by itself, unless they stopped it. It stops when the page is
 * hidden or left.
 */
export function CameraScanner({ onCode }: { onCode: (code: string) => void }) {
  const { say } = useWords();
  const [wanted, setWanted] = useState(false);
  const { camera, retry } = useCamera(wanted);

  useEffect(() => {
    if (readPreference(PREFERENCE) === 'off') return;
    let left = false;
    void isCameraAllowed().then((allowed) => allowed && !left && setWanted(true));
    return () => {
      left = true;
    };
  }, []);

  function want(on: boolean): void {
    savePreference(PREFERENCE, on ? 'on' : 'off');
    setWanted(on);
  }

  if (!wanted) {
    return (
      <Button className={styles.start} onClick={() => want(true)}>
        <Icon of={ScanBarcode} size={24} />
        {say('camera.start')}
      </Button>
    );
  }
  if (camera.state === 'failed') {
    return <Failure text={say(`camera.${camera.problem}`)} retry={retry} stop={() => want(false)} />;
  }
  return <View stream={camera.state === 'on' ? camera.stream : null} onCode={onCode} stop={() => want(false)} />;
}

type ViewProps = { stream: MediaStream | null; onCode: (code: string) => void; stop: () => void };

function View({ stream, onCode, stop }: ViewProps) {
  const { say } = useWords();
  const video = useRef<HTMLVideoElement>(null);
  const [scans, setScans] = useState(0);
  const [hasDecoder, setHasDecoder] = useState(true);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  useDecoding({
    video,
    active: stream !== null && hasDecoder,
    onCode: (code) => {
      setScans((count) => count + 1);
      onCode(code);
    },
    onFailed: () => setHasDecoder(false),
  });

  if (!hasDecoder) return <Failure text={say('camera.noDecoder')} retry={() => setHasDecoder(true)} stop={stop} />;
  return (
    <section className={styles.view} aria-label={say('camera.label')}>
      <video ref={video} className={styles.video} autoPlay muted playsInline />
      <div key={scans} className={styles.frame} data-scanned={scans > 0 || undefined} />
      <p className={styles.hint}>
        {stream === null ? (
          <>
            <Spinner /> {say('camera.starting')}
          </>
        ) : (
          say('camera.aim')
        )}
      </p>
      <div className={styles.controls}>
        {stream && hasLight(stream) && <Light stream={stream} />}
        <button type="button" className={styles.control} onClick={stop}>
          <Icon of={CameraOff} size={22} />
          <span className="visually-hidden">{say('camera.stop')}</span>
        </button>
      </div>
    </section>
  );
}

function Light({ stream }: { stream: MediaStream }) {
  const { say } = useWords();
  const [on, setOn] = useState(false);
  const toggle = () =>
    void switchLight(stream, !on).then(
      () => setOn(!on),
      (problem) => console.error(problem),
    );
  return (
    <button type="button" className={styles.control} aria-pressed={on} onClick={toggle}>
      <Icon of={Flashlight} size={22} />
      <span className="visually-hidden">{say('camera.light')}</span>
    </button>
  );
}

function Failure({ text, retry, stop }: { text: string; retry: () => void; stop: () => void }) {
  const { say } = useWords();
  return (
    <div className={styles.failure} role="alert">
      <p>{text}</p>
      <div className={styles.choices}>
        <Button onClick={retry}>{say('retry')}</Button>
        <Button look="plain" onClick={stop}>
          {say('camera.without')}
        </Button>
      </div>
    </div>
  );
}
