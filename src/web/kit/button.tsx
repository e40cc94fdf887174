import type { IconNode } from 'lucide'
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'

import styles from './button.module.css'
import { classNames } from './class-names.js'
import { Icon } from './icon.js'
import { useOfflineReason } from './offline.js'

export interface ButtonLook {
  /** `primary` for the main action of a page, `danger` for one that cannot be undone, `ghost` without a border. */
  kind?: 'primary' | 'danger' | 'ghost' | 'plain'
  size?: 'small' | 'normal'
  icon?: IconNode | undefined
}

type ButtonProps = Omit<ButtonHTMLAttributes, 'icon' | 'size' | 'kind'> &
  ButtonLook & {
    /** The action is under way: the button is disabled and says so. */
    isBusy?: boolean
    /** The action changes data: the button is disabled while offline. By default, if it submits or has `isBusy`. */
    isChange?: boolean
    /** Why the button cannot be used now; it is disabled with that reason as its title. */
    reason?: string | undefined
    children?: ComponentChildren
  }

export function Button({
  kind = 'plain',
  size = 'normal',
  icon,
  isBusy,
  isChange,
  reason: given,
  children,
  class: className,
  disabled,
  ...rest
}: ButtonProps) {
  const offline = useOfflineReason(isChange ?? (isBusy !== undefined || rest.type === 'submit'))
  const reason = given ?? offline
  return (
    <button
      type="button"
      {...rest}
      title={reason ?? rest.title}
      disabled={disabled === true || isBusy === true || reason !== undefined}
      aria-busy={isBusy === true}
      class={classNames(styles['button'], styles[kind], styles[size], className as string | undefined)}
    >
      {icon && <Icon icon={icon} size={size === 'small' ? 14 : 16} />}
      {children}
    </button>
  )
}

interface LinkButtonProps extends ButtonLook {
  href: string
  title?: string
  download?: string | boolean
  target?: '_blank'
  'aria-label'?: string
  /** The browser loads the address as a document of its own. */
  'data-reload'?: string
  /** Why the link cannot be followed now; it is a disabled button with that reason as its title. */
  reason?: string | undefined
  class?: string | undefined
  children?: ComponentChildren
}

/** A link that looks like a button. */
export function LinkButton({
  kind = 'plain',
  size = 'normal',
  icon,
  reason,
  children,
  class: className,
  ...rest
}: LinkButtonProps) {
  if (reason !== undefined) {
    return (
      <Button size={size} icon={icon} reason={reason} class={className}>
        {children}
      </Button>
    )
  }
  return (
    <a {...rest} class={classNames(styles['button'], styles[kind], styles[size], className)}>
      {icon && <Icon icon={icon} size={size === 'small' ? 14 : 16} />}
      {children}
    </a>
  )
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'icon'> & { icon: IconNode; label: string }

/** A button that shows an icon; `label` is its name, also as a tooltip. */
export function IconButton({ icon, label, kind = 'ghost', class: className, ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      kind={kind}
      icon={icon}
      aria-label={label}
      title={label}
      class={classNames(styles['square'], className as string | undefined)}
    />
  )
}
