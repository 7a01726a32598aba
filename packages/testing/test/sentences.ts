// What a test of the kit is called, by what it looks at.
export const shape = "answers every question in time and in one of the known shapes";
export const members = "has a name, an evaluate, and no member that nothing calls";
export const leak = "says no value of the arguments or the result";
export const pure = "answers the same when asked again, in another order and at once";
export const untouched = "changes nothing in what it is asked, frozen or not";
export const aborted = "settles when the call is aborted, and lets nothing more through";
export const planted = "answers the same while data is planted on Object.prototype";
export const plantedFirst =
  "lets nothing more through when it is made while data is planted on Object.prototype";
export const outcomes = "is told how every call ended, whatever became of it";
export const stray = "admits no more after a settle that was stray or repeated";
export const closed = "can be closed twice";
export const allows = "allows what it should allow";
export const denies = "denies what it should deny, with a reason";
export const ran = "in a runner, lets the tool run once, with the arguments as they are";
export const neverRan = "in a runner, never lets the tool run that it denies";
export const modifies = "modifies what it should modify";
export const settled = "leaves alone what it modified";
export const ranModified =
  "in a runner, lets the tool run once, with the arguments as it modified them";
export const thawed = "answers the same to a call that is not frozen";
