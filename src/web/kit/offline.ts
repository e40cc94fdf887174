import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** Whether the server cannot be reached. Buttons that change data are then disabled. */
export const Offline = createContext(false)

/** Why buttons that change data are disabled; undefined if they are not. */
export function useOfflineReason(isChange: boolean): string | undefined {
  return useContext(Offline) && isChange ? 'The server cannot be reached at the moment.' : undefined
}
