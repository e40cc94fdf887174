import {
  CircleHelp,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Scissors,
  Search,
  Settings,
  Shield,
  Sun,
  User,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { addressOf } from '../../addresses/address-of.js'
import { boot } from '../api/boot.js'
import { Avatar } from '../kit/avatar.js'
import { IconButton, LinkButton } from '../kit/button.js'
import { Icon } from '../kit/icon.js'
import { Menu, MenuItem, MenuLine } from '../kit/menu.js'
import styles from './bar.module.css'
import { Logo } from './logo.js'
import { OwnPipelines } from './own-pipelines.js'
import { openPalette } from './palette.js'
import { changePreferences, readPreferences } from './preferences.js'
import { openShortcutHelp } from './shortcut-help.js'
import type { Section } from './side.js'
import { TodoCount } from './todo-count.js'

/** The bar at the top of every page. */
export function Bar({ section, drawer }: { section: Section | undefined; drawer: ComponentChildren }) {
  return (
    <header class={styles['bar']}>
      {drawer}
      <a class={styles['logo']} href="/" aria-label="Switchyard, home">
        {boot.header_logo === null ? (
          <>
            <Logo />
            <span>Switchyard</span>
          </>
        ) : (
          <img src={boot.header_logo} alt="" />
        )}
      </a>
      <Crumbs section={section} />
      <div class={styles['space']} />
      <button type="button" class={styles['search']} onClick={openPalette}>
        <Icon icon={Search} />
        <span>Go to…</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {boot.user ? <SignedIn /> : <SignInButton />}
    </header>
  )
}

function Crumbs({ section }: { section: Section | undefined }) {
  if (section?.kind !== 'project' && section?.kind !== 'group') return null
  const names = section.path.split('/')
  return (
    <nav class={styles['crumbs']} aria-label="Location">
      {names.map((name, index) => (
        <span key={index}>
          {index > 0 && <span class={styles['slash']}>/</span>}
          <a href={`/${names.slice(0, index + 1).join('/')}`}>{name}</a>
        </span>
      ))}
    </nav>
  )
}

function SignInButton() {
  const here = encodeURIComponent(location.pathname + location.search)
  return (
    <LinkButton kind="primary" data-reload="" href={`/users/sign_in?return_to=${here}`}>
      Sign in
    </LinkButton>
  )
}

function SignedIn() {
  const user = boot.user
  const [theme, setTheme] = useState(readPreferences().theme)
  if (!user) return null
  const choose = (chosen: typeof theme) => {
    changePreferences({ theme: chosen })
    setTheme(chosen)
  }
  return (
    <>
      <OwnPipelines user={user} />
      <TodoCount />
      <Menu class={styles['wide']} kind="ghost" icon={Plus} name="New">
        <MenuItem href={addressOf('projects/new', {})}>New project</MenuItem>
        <MenuItem href={addressOf('groups/new', {})}>New group</MenuItem>
        <MenuItem href={addressOf('snippets/own-snippet', { id: 'new', view: '' })}>New snippet</MenuItem>
      </Menu>
      <IconButton
        class={styles['wide']}
        icon={CircleHelp}
        label="Keyboard shortcuts"
        onClick={openShortcutHelp}
      />
      <Menu
        kind="ghost"
        name={`Account of ${user.name}`}
        label={<Avatar name={user.name} url={user.avatar_url} />}
      >
        <p class={styles['who']}>
          <strong>{user.name}</strong>
          <span>@{user.username}</span>
        </p>
        <MenuItem icon={User} href={`/${user.username}`}>
          Profile
        </MenuItem>
        <MenuItem icon={Scissors} href={addressOf('snippets/own', { root: 'dashboard' })}>
          Snippets
        </MenuItem>
        <MenuItem icon={Settings} href={addressOf('account/profile', {})}>
          Account settings
        </MenuItem>
        {user.is_admin && (
          <MenuItem icon={Shield} href={addressOf('admin/overview', {})}>
            Administration
          </MenuItem>
        )}
        <MenuLine />
        {(
          [
            ['light', 'Light theme', Sun],
            ['dark', 'Dark theme', Moon],
            ['system', 'Theme of the system', Monitor],
          ] as const
        ).map(([name, label, icon]) => (
          <MenuItem key={name} icon={icon} onSelect={() => choose(name)}>
            {label}
            {theme === name && ' ✓'}
          </MenuItem>
        ))}
        <MenuLine />
        <form method="post" action="/users/sign_out" class={styles['signOut']}>
          <input type="hidden" name="authenticity_token" value={boot.csrf_token ?? ''} />
          <button type="submit">
            <Icon icon={LogOut} size={15} /> Sign out
          </button>
        </form>
      </Menu>
    </>
  )
}
