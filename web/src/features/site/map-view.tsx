import 'leaflet/dist/leaflet.css';
import L from 'leaflet';
import { Crosshair, Minus, Plus } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { loadOutlines } from './map-outlines.ts';
import styles from './map-view.module.css';

const FIRST_ZOOM = 5;

/** A Leaflet map with bundled country outlines. Where a tile server is configured, its tiles cover the outlines. */
export function MapView() {
  const { say } = useWords();
  const { contact, tiles } = useBoot();
  const hint = useId();
  const place = useRef<HTMLDivElement>(null);
  const map = useRef<L.Map>(null);
  const [failed, setFailed] = useState(false);
  const { lat, lon } = contact;

  useEffect(() => {
    if (!place.current) return;
    const drawn = drawMap(place.current, [lat, lon], tiles);
    map.current = drawn;
    const leaving = new AbortController();
    loadOutlines(leaving.signal)
      .then((land) => drawn.addLayer(L.geoJSON(land, { interactive: false, style: { className: styles.land ?? '' } })))
      .catch((problem) => {
        if (leaving.signal.aborted) return;
        console.error(problem);
        setFailed(true);
      });
    return () => {
      leaving.abort();
      drawn.remove();
    };
  }, [lat, lon, tiles]);

  return (
    <>
      <div
        ref={place}
        className={styles.map}
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: Leaflet listens to the arrow keys here
        tabIndex={0}
        role="application"
        aria-label={say('map.label')}
        aria-describedby={hint}
      />
      <p id={hint} className="visually-hidden">
        {say('map.hint')}
      </p>
      <div className={styles.controls}>
        <IconButton label={say('map.zoomIn')} onClick={() => map.current?.zoomIn()}>
          <Icon of={Plus} />
        </IconButton>
        <IconButton label={say('map.zoomOut')} onClick={() => map.current?.zoomOut()}>
          <Icon of={Minus} />
        </IconButton>
        <IconButton label={say('map.recenter')} onClick={() => map.current?.setView([lat, lon], FIRST_ZOOM)}>
          <Icon of={Crosshair} />
        </IconButton>
      </div>
      {failed && (
        <p role="alert" className={styles.failed}>
          {say('map.failed')}
        </p>
      )}
    </>
  );
}

function drawMap(place: HTMLElement, centre: L.LatLngTuple, tiles: string | null): L.Map {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const byTouch = matchMedia('(pointer: coarse)').matches;
  const map = L.map(place, {
    center: centre,
    zoom: FIRST_ZOOM,
    minZoom: 1,
    maxZoom: tiles === null ? 7 : 18,
    maxBounds: [
      [-85, -200],
      [85, 200],
    ],
    zoomControl: false,
    attributionControl: false,
    // Scrolling the page must not zoom or pan the map; both work once the map has the focus.
    scrollWheelZoom: false,
    dragging: !byTouch,
    zoomAnimation: !still,
    fadeAnimation: !still,
    inertia: !still,
  });
  map.on('focus', () => {
    map.scrollWheelZoom.enable();
    map.dragging.enable();
  });
  map.on('blur', () => {
    map.scrollWheelZoom.disable();
    if (byTouch) map.dragging.disable();
  });
  if (tiles !== null) L.tileLayer(tiles).addTo(map);
  L.marker(centre, { icon: pin(), interactive: false, keyboard: false }).addTo(map);
  return map;
}

/** The marker on the map, styled by CSS. It is an element, not an HTML string, because Trusted Types are enforced. */
function pin(): L.DivIcon {
  const html = document.createElement('span');
  html.className = styles.pin ?? '';
  return L.divIcon({ html, className: '', iconSize: [28, 28], iconAnchor: [14, 32] });
}
