/** The executable that Terraform starts. */
import { serve } from '../plugin';
import { PROVIDER_ADDRESS } from './about';
import { PROVIDER } from './provider';

// With --reattach it waits for commands that are started by hand: for debuggers.
void serve(PROVIDER, { address: PROVIDER_ADDRESS, reattach: process.argv.includes('--reattach') });
