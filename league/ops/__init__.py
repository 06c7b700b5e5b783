"""Operations: settings, embedded servers, processes. Nothing here knows clubs or games."""
