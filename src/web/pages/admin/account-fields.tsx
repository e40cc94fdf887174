import { Input } from '../../kit/field.js'

/** What an account has in any case. */
interface AccountNames {
  name: string
  username: string
  email: string
}

interface AccountFieldsProps extends AccountNames {
  onInput: (change: Partial<AccountNames>) => void
  usernameHelp?: string
}

/** Name, username and e-mail address of an account. */
export function AccountFields({ name, username, email, onInput, usernameHelp }: AccountFieldsProps) {
  return (
    <>
      <Input
        label="Name"
        value={name}
        onInput={(value) => onInput({ name: value })}
        required
        autoComplete="off"
      />
      <Input
        label="Username"
        value={username}
        onInput={(value) => onInput({ username: value })}
        required
        autoComplete="off"
        spellcheck={false}
        help={usernameHelp}
      />
      <Input
        label="E-mail address"
        type="email"
        value={email}
        onInput={(value) => onInput({ email: value })}
        required
        autoComplete="off"
      />
    </>
  )
}
