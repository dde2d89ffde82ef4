/* The page of doubtful responses and finishes. */

import "./elements/frame-stepper.js";
import "./elements/settle-keys.js";
