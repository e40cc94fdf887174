import { expect, test } from 'vitest'

import { describeCron } from '../../src/cron/describe-cron.js'

test.each([
  ['30 4 * * 1-5', 'weekdays at 04:30'],
  ['30 4 * * MON-FRI', 'weekdays at 04:30'],
  ['0 9 * * sat,sun', 'weekends at 09:00'],
  ['0 9 * * 6-7', 'weekends at 09:00'],
  ['0 3 * * 0', 'Sundays at 03:00'],
  ['0 3 * * 7,1,3', 'Mondays, Wednesdays and Sundays at 03:00'],
  ['0 4 * * *', 'every day at 04:00'],
  ['0 4,16 * * *', 'every day at 04:00 and 16:00'],
  ['0,30 4 * * 1', 'Mondays at 04:00 and 04:30'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['*/7 * * * *', 'every 7th minute of the hour'],
  ['* * * * *', 'every minute'],
  ['0 * * * *', 'every hour'],
  ['5 * * * *', 'every hour at minute 5'],
  ['5,35 * * * *', 'every hour at minutes 5 and 35'],
  ['0 */2 * * *', 'every 2 hours'],
  ['30 */2 * * *', 'every 2 hours at minute 30'],
  ['0 */5 * * *', 'every 5th hour of the day'],
  ['*/15 8-17 * * 1-5', 'every 15 minutes from 08:00 to 17:45, weekdays'],
  ['0 8-17 * * *', 'every hour from 08:00 to 17:00'],
  ['* 8,12 * * *', 'every minute in the hours 08:00 and 12:00'],
  ['0 0 1 * *', 'on day 1 of the month at 00:00'],
  ['0 0 1,15 * *', 'on days 1 and 15 of the month at 00:00'],
  ['0 0 */2 * *', 'on every 2nd day of the month at 00:00'],
  ['0 0 13 * 5', 'on day 13 of the month and on Fridays at 00:00'],
  ['0 0 24 12 *', 'on 24 December at 00:00'],
  ['0 0 * jan,7 *', 'every day in January and July at 00:00'],
  ['0 0 * 6 1', 'Mondays in June at 00:00'],
  ['@daily', 'every day at 00:00'],
  ['@weekly', 'Sundays at 00:00'],
  ['@monthly', 'on day 1 of the month at 00:00'],
  ['@yearly', 'on 1 January at 00:00'],
  ['@hourly', 'every hour'],
])('%s is "%s"', (expression, words) => {
  expect(describeCron(expression)).toBe(words)
})

test.each(['', '61 * * * *', '@reboot', '0 0 L * *', '0 0 * * 5#2'])('"%s" has no words', (expression) => {
  expect(describeCron(expression)).toBeUndefined()
})
