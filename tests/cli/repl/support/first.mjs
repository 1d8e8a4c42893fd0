const first = 41; first;
