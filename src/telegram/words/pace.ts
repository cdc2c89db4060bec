import type { DeliveryPace } from '../../shop/delivery-pace.ts'
import type { Slowness } from '../../shop/slow-network.ts'
import { foreignWord } from '../chat/screen.ts'
import { duration } from '../chat/time.ts'
import { b } from './markup.ts'

/** How long a network's deliveries take now. `most`: nine in ten of them. */
export const paceLine = ({ network, medianSeconds, mostSeconds }: DeliveryPace): string => {
  const [half, most] = [duration(medianSeconds * 1_000), duration(mostSeconds * 1_000)]
  const times =
    half === most ? `most orders arrived within ${most}` : `half arrived within ${half}, most within ${most}`
  return `⏱ ${foreignWord(network)} in the last few hours: ${times}.`
}

/** The news that a network became slow, or no longer is. */
export const networkPace = (network: string, { isSlow, nowSeconds, usualSeconds }: Slowness): string => {
  const name = foreignWord(network)
  const takes = duration(nowSeconds * 1_000)
  return isSlow
    ? `🐢 ${b(`${name} is slow`)}: your orders are taking ${takes} (usually ${duration(usualSeconds * 1_000)}). Don’t order again: I’m following each one. I’ll tell you when ${name} is no longer slow.`
    : `✅ ${b(`${name} is no longer slow`)}: your orders now take ${takes}.`
}
