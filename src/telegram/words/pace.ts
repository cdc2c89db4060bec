import type { DeliveryPace } from '../../shop/delivery-pace.ts'
import { foreignWord } from '../chat/screen.ts'
import { duration } from '../chat/time.ts'

/** How long a network's deliveries take now. Nine in ten means the 90th percentile. */
export const paceLine = ({ network, medianSeconds, mostSeconds }: DeliveryPace): string =>
  `⏱ ${foreignWord(network)} in the last few hours: half arrived within ${duration(medianSeconds * 1_000)}, nine in ten within ${duration(mostSeconds * 1_000)}.`
