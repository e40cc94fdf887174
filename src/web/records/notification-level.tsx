import { Bell, BellOff, Check } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../addresses/address-of.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { patch, useRead } from '../api/use-read.js'
import { notifyError } from '../frame/notices.js'
import { Button } from '../kit/button.js'
import { Select } from '../kit/field.js'
import { Menu, MenuItem, MenuLine } from '../kit/menu.js'
import { NotificationEvents, type NotificationSettings } from './notification-events.js'
import styles from './notification-level.module.css'

/** About what there are mails, by the level. */
const LEVELS = [
  { value: 'watch', label: 'All activity' },
  { value: 'participating', label: 'Threads you take part in' },
  { value: 'mention', label: 'Mentions only' },
  { value: 'custom', label: 'Chosen events' },
  { value: 'disabled', label: 'Nothing' },
] as const

const LOCAL_LEVELS = [{ value: 'global', label: 'As everywhere' }, ...LEVELS]

/**
 * The settings of a path of the API, what changes their level, and the dialog of the events, which opens with the level
 * `custom`.
 */
function useLevel(path: string) {
  const { data } = useRead<NotificationSettings>(path)
  const [isChoosing, setChoosing] = useState(false)
  const change = useAction(async (level: string) => {
    const settings = await requestJson<NotificationSettings>(path, { method: 'PUT', body: { level } })
    patch<NotificationSettings>(path, () => settings)
    if (level === 'custom') setChoosing(true)
  }, notifyError)
  return {
    settings: data,
    change,
    chooseEvents: () => setChoosing(true),
    dialog: data && isChoosing && (
      <NotificationEvents path={path} settings={data} onClose={() => setChoosing(false)} />
    ),
  }
}

interface LevelSelectProps {
  /** Path of the settings in the API. */
  path: string
  label: string
  hidesLabel?: boolean
  /** The level `global` is a choice. */
  isLocal?: boolean
}

/** A field for a level; it is saved at once. */
export function LevelSelect({ path, label, hidesLabel = false, isLocal = false }: LevelSelectProps) {
  const { settings, change, chooseEvents, dialog } = useLevel(path)
  return (
    <div class={styles['level']}>
      <Select
        label={label}
        hidesLabel={hidesLabel}
        value={settings?.level ?? ''}
        disabled={!settings || change.isBusy}
        onInput={(level) => void change.run(level)}
        choices={isLocal ? LOCAL_LEVELS : LEVELS}
      />
      {settings?.level === 'custom' && <Button onClick={chooseEvents}>Events…</Button>}
      {dialog}
    </div>
  )
}

/** A menu of the levels on the page of a project or group. */
export function LevelMenu({ path }: { path: string }) {
  const { settings, change, dialog } = useLevel(path)
  if (!settings) return null
  return (
    <>
      <Menu icon={settings.level === 'disabled' ? BellOff : Bell} name="Notifications">
        {LOCAL_LEVELS.map(({ value, label }) => (
          <MenuItem
            key={value}
            isChange
            icon={value === settings.level ? Check : undefined}
            onSelect={() => void change.run(value)}
          >
            {label}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem href={addressOf('account/notifications', {})}>All notification settings</MenuItem>
      </Menu>
      {dialog}
    </>
  )
}
