/** The names between `<` and `>` in a message. */
type Placeholder<Message> = Message extends `${string}<${infer Name}>${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

/** Values of the placeholders in a message. */
type Values<Message> = Record<Placeholder<Message>, string | number>

/** Arguments that begin with these values, which messages without placeholders do not need. */
export type MessageArguments<Message, Others extends unknown[] = []> = [Placeholder<Message>] extends [never]
  ? [values?: Record<string, never>, ...others: Others]
  : [values: Values<Message>, ...others: Others]

/** The message with these values in the place of its placeholders. */
export function fillMessage(message: string, values: Readonly<Record<string, string | number>> = {}): string {
  return message.replace(/<([\w ]+)>/g, (_placeholder, name: string) => String(values[name]))
}
