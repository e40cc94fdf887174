import { Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { NewGroupHook } from '../../coordinator/integrations/webhooks/schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { ActionForm } from '../kit/action-form.js'
import { Button, IconButton } from '../kit/button.js'
import { CheckBox, FieldGroup, Input, Select, TextArea } from '../kit/field.js'
import { toggled } from '../kit/toggled.js'
import { type AnyHook, eventsOf, type HookEvent, type HookKind } from './hook-events.js'
import styles from './hooks.module.css'

const STRATEGIES = [
  { value: 'all_branches', label: 'All branches' },
  { value: 'wildcard', label: 'Branches that match a wildcard' },
  { value: 'regex', label: 'Branches that match a regular expression' },
] as const

type Strategy = (typeof STRATEGIES)[number]['value']

/** A header, or a variable of the URL. The values of saved pairs are never shown. */
interface Pair {
  key: string
  value: string
  isSaved: boolean
}

interface HookFormProps {
  kind: HookKind
  /** Path of the webhooks in the API, such as `/projects/5/hooks`. */
  path: string
  /** The webhook to change; without it, the form creates one. */
  hook?: AnyHook
  /** Why it cannot be saved now. */
  reason?: string | undefined
  onSaved: (hook: AnyHook) => Promise<void>
  onCancel?: () => void
}

/** Creates or changes a webhook. */
export function HookForm({ kind, path, hook, reason, onSaved, onCancel }: HookFormProps) {
  const [url, setUrl] = useState(hook?.url ?? '')
  const [name, setName] = useState(hook?.name ?? '')
  const [description, setDescription] = useState(hook?.description ?? '')
  const [token, setToken] = useState('')
  const [events, setEvents] = useState<ReadonlySet<HookEvent>>(() => initialEvents(hook, kind))
  const [strategy, setStrategy] = useState<Strategy>(hook ? strategyOf(hook) : 'all_branches')
  const [filter, setFilter] = useState(hook?.push_events_branch_filter ?? '')
  const [verifies, setVerifies] = useState(hook?.enable_ssl_verification ?? true)
  const [headers, setHeaders] = useState(() => savedPairs(hook?.custom_headers))
  const [variables, setVariables] = useState(() => savedPairs(hook?.url_variables))
  const [template, setTemplate] = useState(hook?.custom_webhook_template ?? '')
  const save = useAction(async () => {
    const body: NewGroupHook = {
      url,
      name: name === '' ? null : name,
      description: description === '' ? null : description,
      ...Object.fromEntries(eventsOf(kind).map(({ event }) => [event, events.has(event)])),
      enable_ssl_verification: verifies,
      custom_headers: headers.map(sentPair),
      url_variables: variables.map(sentPair),
      ...(token !== '' && { token }),
      ...(kind !== 'system' && {
        branch_filter_strategy: strategy,
        push_events_branch_filter: strategy === 'all_branches' ? '' : filter,
        custom_webhook_template: template === '' ? null : template,
      }),
    }
    await onSaved(
      await requestJson<AnyHook>(hook ? `${path}/${hook.id}` : path, {
        method: hook ? 'PUT' : 'POST',
        body: { ...body },
      }),
    )
  })
  const toggle = (event: HookEvent) => setEvents(toggled(events, event))
  return (
    <ActionForm action={save} class={styles['form']}>
      <Input
        label="URL"
        type="text"
        value={url}
        onInput={setUrl}
        required
        placeholder="https://example.com/hook"
        spellcheck={false}
        autoComplete="off"
        help="Receives a POST request with JSON for each event. A variable in braces stands for its secret value: https://example.com/{key}. Another URL deletes the token, headers and variables."
      />
      <div class={styles['pair']}>
        <Input label="Name" value={name} onInput={setName} autoComplete="off" />
        <Input label="Description" value={description} onInput={setDescription} autoComplete="off" />
      </div>
      <Input
        label="Secret token"
        type="password"
        value={token}
        onInput={setToken}
        autoComplete="new-password"
        help={
          hook
            ? 'Sent in the header X-Gitlab-Token. If it is empty, the present token stays, unless the URL changes.'
            : 'Sent in the header X-Gitlab-Token, so that the receiver can check the sender.'
        }
      />
      <FieldGroup legend="Events" class={styles['fieldset']}>
        <div class={styles['events']}>
          {eventsOf(kind).map(({ event, label, help }) => (
            <CheckBox
              key={event}
              label={label}
              help={help}
              checked={events.has(event)}
              onInput={() => toggle(event)}
            />
          ))}
        </div>
      </FieldGroup>
      {kind !== 'system' && events.has('push_events') && (
        <div class={styles['pair']}>
          <Select
            label="Pushes to"
            value={strategy}
            onInput={(value) => setStrategy(STRATEGIES.find((one) => one.value === value)?.value ?? strategy)}
            choices={STRATEGIES}
          />
          {strategy !== 'all_branches' && (
            <Input
              label={strategy === 'regex' ? 'Regular expression' : 'Wildcard'}
              value={filter}
              onInput={setFilter}
              required
              spellcheck={false}
              placeholder={strategy === 'regex' ? '^(main|release/.*)$' : 'release/*'}
            />
          )}
        </div>
      )}
      <Pairs title="Variables of the URL" action="Add variable" pairs={variables} onChange={setVariables} />
      <Pairs title="Headers" action="Add header" pairs={headers} onChange={setHeaders} />
      {kind !== 'system' && (
        <TextArea
          label="Template of the payload"
          value={template}
          onInput={setTemplate}
          spellcheck={false}
          rows={3}
          placeholder={'{ "text": "{{project.name}}: {{object_kind}}" }'}
          help="JSON in which a path in double braces stands for a field of the payload. Without a template, the whole payload is sent."
        />
      )}
      <CheckBox
        label="Verify the TLS certificate"
        help="Switch it off only for a receiver with a certificate of its own in a network that you trust."
        checked={verifies}
        onInput={setVerifies}
      />
      <div class={styles['buttons']}>
        <Button kind="primary" type="submit" reason={reason} isBusy={save.isBusy}>
          {hook ? 'Save changes' : 'Add webhook'}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </ActionForm>
  )
}

interface PairsProps {
  title: string
  action: string
  pairs: readonly Pair[]
  onChange: (pairs: Pair[]) => void
}

function Pairs({ title, action, pairs, onChange }: PairsProps) {
  const change = (index: number, changes: Partial<Pair>) =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...changes } : pair)))
  return (
    <FieldGroup legend={title} class={styles['fieldset']}>
      {pairs.map((pair, index) => (
        <div key={index} class={styles['row']}>
          <Input
            label={`Name ${index + 1}`}
            hidesLabel
            placeholder="Name"
            value={pair.key}
            onInput={(key) => change(index, { key })}
            readOnly={pair.isSaved}
            required
            spellcheck={false}
            autoComplete="off"
          />
          <Input
            label={`Value ${index + 1}`}
            hidesLabel
            placeholder={pair.isSaved ? 'unchanged' : 'Value'}
            value={pair.value}
            onInput={(value) => change(index, { value })}
            spellcheck={false}
            autoComplete="off"
          />
          <IconButton
            icon={Trash2}
            label={`Remove ${pair.key === '' ? `pair ${index + 1}` : pair.key}`}
            onClick={() => onChange(pairs.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={Plus}
          onClick={() => onChange([...pairs, { key: '', value: '', isSaved: false }])}
        >
          {action}
        </Button>
      </div>
    </FieldGroup>
  )
}

function savedPairs(pairs: readonly { key: string }[] | undefined): Pair[] {
  return (pairs ?? []).map(({ key }) => ({ key, value: '', isSaved: true }))
}

/** A saved value that is not typed again stays as it is. */
function sentPair({ key, value, isSaved }: Pair): { key: string; value?: string } {
  return isSaved && value === '' ? { key } : { key, value }
}

function initialEvents(hook: AnyHook | undefined, kind: HookKind): ReadonlySet<HookEvent> {
  if (!hook) return new Set<HookEvent>(kind === 'system' ? [] : ['push_events'])
  return new Set(eventsOf(kind).flatMap(({ event }) => (hook[event] === true ? [event] : [])))
}

/** A wildcard without text matches all branches. */
function strategyOf({
  branch_filter_strategy: strategy,
  push_events_branch_filter: filter,
}: AnyHook): Strategy {
  return filter ? (strategy ?? 'wildcard') : 'all_branches'
}
