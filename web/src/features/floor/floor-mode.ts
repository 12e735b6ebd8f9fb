import { readPreference, savePreference } from '../../ui/preference.ts';
import { useSearchParams } from '../../ui/router.tsx';

export const floorModes = ['deliver', 'receive', 'count', 'find'] as const;
/** What a scan or a tap does. */
export type FloorMode = (typeof floorModes)[number];
/** The modes in which a scan changes the stock by one unit. */
export type BookingMode = Extract<FloorMode, 'deliver' | 'receive'>;

const PREFERENCE = 'floor-mode';

/** The mode in the address or, without one, the mode last used on this device. */
export function useFloorMode(): [FloorMode, (mode: FloorMode) => void] {
  const [search, setSearch] = useSearchParams();
  const mode = modeOf(search.get('mode')) ?? modeOf(readPreference(PREFERENCE)) ?? 'deliver';
  function choose(next: FloorMode): void {
    savePreference(PREFERENCE, next);
    setSearch(
      (before) => {
        before.set('mode', next);
        return before;
      },
      { replace: true },
    );
  }
  return [mode, choose];
}

export function isBooking(mode: FloorMode): mode is BookingMode {
  return mode === 'deliver' || mode === 'receive';
}

function modeOf(text: string | null | undefined): FloorMode | undefined {
  return floorModes.find((mode) => mode === text);
}
