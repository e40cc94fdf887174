// Preloaded into a coordinator that makes the past of the demo: its clock shows the time that the demo sets, and goes on
// from there. What the coordinator then stores about pipelines and jobs is what it stores about real ones.
const RealDate = Date
let ahead = 0
const now = () => RealDate.now() + ahead

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(
      target,
      args.length > 0 ? args : [now()],
      newTarget === globalThis.Date ? target : newTarget,
    ),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
})

// Threads of the coordinator load this file too; they have no channel.
if (process.channel) {
  process.on('message', (/** @type {{ time: number }} */ { time }) => {
    ahead = time - RealDate.now()
    process.send?.({ time })
  })
  process.channel.unref()
}
