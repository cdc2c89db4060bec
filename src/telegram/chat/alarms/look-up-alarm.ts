import type { LookUps } from '../../../orders/following/look-ups.ts'
import { noneFound } from './look-up-words.ts'
import type { OperatorAlarms } from './operator-alarms.ts'

/** Warns the operators once that the provider finds no order, and closes the warning when it finds one. */
export const createLookUpAlarm = (
  alarms: Pick<OperatorAlarms, 'warn' | 'standing' | 'end'>,
  lookUps: Pick<LookUps, 'state'>,
) => {
  let known: ReturnType<LookUps['state']> = null

  return async (): Promise<void> => {
    const state = lookUps.state()
    if (state === known) return
    const isStanding = (await alarms.standing('lookups')).length > 0
    if (state === 'none_found' && !isStanding) await alarms.warn('lookups', noneFound)
    if (state === 'found' && isStanding) await alarms.end('lookups')
    known = state
  }
}
