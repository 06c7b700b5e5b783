// Tells the server the time zone of this device, in which a guest sees the times of games without a club.
"use strict";

(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (!zone) return;
  // No other page depends on it.
  for (const path of ["/play", "/games"]) document.cookie = `zone=${zone}; path=${path}; max-age=31536000; samesite=lax${secure}`;
})();
